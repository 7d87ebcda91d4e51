"""`python -m selfplay.cli` is `selfplay`."""

import sys

from selfplay.cli import main

sys.exit(main())
