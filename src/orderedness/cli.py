"""The command line: arguments in, calls, exit codes. Heavy imports wait until a command runs."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import tyro

from orderedness._version import __version__
from orderedness.commands.paper import Paper
from orderedness.commands.train import Train
from orderedness.explorer.command import Explore
from orderedness.measuring.command import Measure
from orderedness.study.command import Results, Run
from orderedness.study.failed import FailedError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 2 for anything that was asked wrongly."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if list(arguments) == ["--version"]:
        print(f"orderedness {__version__}")
        return 0
    command = tyro.extras.subcommand_cli_from_dict(
        {
            "explore": Explore,
            "measure": Measure,
            "paper": Paper,
            "train": Train,
            "run": Run,
            "results": Results,
        },
        prog="orderedness",
        description="Measure, and explain, order in recurrent networks.",
        args=list(arguments),
        config=(tyro.conf.OmitArgPrefixes, tyro.conf.FlagCreatePairsOff),
    )
    try:
        code: int = command.run()
        sys.stdout.flush()
        return code
    except FailedError as error:
        print(f"orderedness: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:  # whoever reads has enough, as `head` has
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        # What the system says has a number in it and no sentence around it.
        told = f"{error.filename}: {error.strerror}" if error.filename else error
        print(f"orderedness: {told}", file=sys.stderr)
        return 2
    except (ValueError, TypeError) as error:
        print(f"orderedness: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("orderedness: stopped", file=sys.stderr)
        return 130


def entry() -> None:
    """What the installed command calls."""
    sys.exit(main())


if __name__ == "__main__":
    entry()
