"""A model from the Hugging Face hub, kept in the hub's own cache."""

from __future__ import annotations

from pathlib import Path

from selfplay.errors import UserError

PATTERNS = ["*.json", "*.safetensors", "*.jinja", "*.model", "*.txt"]


def fetch(name: str) -> Path:
    """The folder of the hub's model `name` (`owner/model`), downloaded when it is not there yet. Raises `UserError`."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import GatedRepoError, LocalEntryNotFoundError, RepositoryNotFoundError

    try:
        return Path(snapshot_download(name, allow_patterns=PATTERNS))
    except Exception as error:  # the network has many ways to fail, and each client library its own exceptions
        if isinstance(error, GatedRepoError):
            reason = "its owner asks you to accept terms on the hub first"
        elif isinstance(error, RepositoryNotFoundError):
            reason = "the hub has no such model, and no folder of this name exists here"
        elif isinstance(error, LocalEntryNotFoundError):
            reason = "the hub cannot be reached, no earlier download is here, and no folder has this name"
        else:
            reason = f"{type(error).__name__}: {next(iter(str(error).splitlines()), 'no detail')}"
        raise UserError(
            f"Cannot fetch the model `{name}` ({reason}): use `--model.source embedded`, or a local folder."
        ) from error
