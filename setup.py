"""Build jsonscan: compiled by default, pure when JSONSCAN_PURE=1 asks for it.

Everything that can be said without running code is in pyproject.toml. Here stand only the choice between the two
builds and the packages of ``conformance/``, which is importable from the checkout under that name and installs as
``jsonscan_conformance``.
"""

import os

from setuptools import Extension, find_packages, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError

WAY_OUT = (
    "jsonscan's compiled core could not be built: {error}\n"
    "A C compiler and Python's headers are needed (Debian: build-essential python3-dev). To go without them,\n"
    "at the price of speed, ask for the pure build:  JSONSCAN_PURE=1 pip install ."
)


def pure_is_asked_for() -> bool:
    """Whether the environment asks for the pure build; a value that could be misread is an error, not a guess."""
    asked = os.environ.get("JSONSCAN_PURE", "")
    if asked not in ("", "0", "1"):
        raise SystemExit(
            f"error: JSONSCAN_PURE is {asked!r}; say 1 for the pure build, 0 or nothing for the compiled one"
        )
    return asked == "1"


class BuildOrSayHow(build_ext):
    """Never falls back silently: what fails here fails the installation, and the message names the way out."""

    def run(self):
        try:
            super().run()
        except Exception as error:
            raise CompileError(WAY_OUT.format(error=error)) from error


def extensions() -> list[Extension]:
    """The compiled body of the machine. Its generated C stays in the build directory, out of sources and wheels."""
    machine = Extension(
        "jsonscan._machine",
        ["jsonscan/_machine.pyx"],
        include_dirs=["jsonscan"],
        depends=["jsonscan/_leaves.h", "jsonscan/_plain.pxi", "jsonscan/_entries.pxi"],
    )
    machine.cython_c_in_temp = True
    return [machine]


setup(
    packages=[
        *find_packages(include=["jsonscan", "jsonscan.*"]),
        "jsonscan_conformance",
        *(f"jsonscan_conformance.{name}" for name in find_packages("conformance")),
    ],
    package_dir={"jsonscan_conformance": "conformance"},
    ext_modules=[] if pure_is_asked_for() else extensions(),
    cmdclass={"build_ext": BuildOrSayHow},
)
