"""What every test can rely on."""

import signal

# Tests that are started in the background inherit that Ctrl-C is ignored, and so would the programs
# they start.
signal.signal(signal.SIGINT, signal.default_int_handler)
