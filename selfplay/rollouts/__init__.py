"""The coroutines of a step: propose, solve, play. Each awaits the policy, never a batch."""
