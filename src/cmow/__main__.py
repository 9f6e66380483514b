"""`python -m cmow` is `cmow`."""

from cmow.cli import main

main()
