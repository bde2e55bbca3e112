"""`lamina completion`."""

from __future__ import annotations

import click


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion_command(shell: str) -> None:
    """Print the script that completes commands in a shell.

    For bash, add this to ~/.bashrc: eval "$(lamina completion bash)". For zsh, the same with zsh
    in ~/.zshrc. For fish: lamina completion fish > ~/.config/fish/completions/lamina.fish
    """
    from click.shell_completion import get_completion_class

    from lamina.apps.cli.root import root

    found = get_completion_class(shell)
    assert found is not None
    click.echo(found(root, {}, "lamina", "_LAMINA_COMPLETE").source())
