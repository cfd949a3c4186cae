"""`python -m jsonscan` is the command `jsonscan`, which starts here: before anything is loaded that takes long."""

import gc
import sys


def entry() -> None:
    """The console script. An interrupt while it loads ends it as quietly as a later one."""
    gc.set_threshold(50_000)  # to load the modules makes many objects and no garbage
    try:
        import gettext

        # argparse has each of its words looked up, for which locale is loaded and the disk asked; there are no translations of it.
        gettext.find = lambda *_, **__: []  # type: ignore[assignment]
        from . import cli

        status = cli.entry()
    except KeyboardInterrupt:
        status = 130
    gc.freeze()  # the process ends here: nothing is gained by looking through all there is once more
    sys.exit(status)


if __name__ == "__main__":
    entry()
