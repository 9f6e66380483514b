"""Arrays in a safetensors file, mapped into memory: opening reads nothing, processes share it."""

import errno
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from cmow.errors import FormatError
from cmow.parsing import parse_json

METADATA = "__metadata__"
DTYPES = {"F32": "<f4", "F16": "<f2", "I8": "i1", "U8": "u1", "I64": "<i8"}


def write_tensors(
    path: Path,
    tensors: Mapping[str, NDArray[Any]],
    *,
    metadata: Mapping[str, str] | None = None,
) -> None:
    """Write arrays by name, and what there is to say of them."""
    arrays = {name: np.ascontiguousarray(tensor) for name, tensor in tensors.items()}
    path.touch()
    mode = path.stat().st_mode
    try:
        save_file(arrays, path, dict(metadata) if metadata else None)
    except SafetensorError as error:  # such as a full disk
        raise OSError(errno.EIO, str(error), str(path)) from error
    path.chmod(mode)  # the library puts a file there that only its owner may read


def read_metadata(path: Path) -> dict[str, str]:
    """What a file says of its arrays."""
    return dict(_header(path)[0].get(METADATA) or {})


def map_tensors(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays of a file, read-only, without copying them."""
    header, data = _header(path)
    header.pop(METADATA, None)
    if data == path.stat().st_size:
        mapped: NDArray[np.uint8] = np.zeros(0, np.uint8)
    else:
        mapped = np.memmap(path, np.uint8, mode="r", offset=data)
    tensors = {}
    for name, entry in header.items():
        dtype = DTYPES.get(entry["dtype"])
        if dtype is None:
            raise FormatError(f"{path}: tensor {name!r} has the unexpected type {entry['dtype']}")
        begin, end = entry["data_offsets"]
        tensors[name] = _view(mapped[begin:end], dtype).reshape(entry["shape"])
    return tensors


def _incomplete(path: Path, error: SafetensorError) -> FormatError:
    return FormatError(f"{path}: not a complete safetensors file ({error})")


def _header(path: Path) -> tuple[dict[str, Any], int]:
    """What is where in the file, and where the data begin."""
    try:
        with safe_open(path, framework="numpy"):  # checks the header, and the size of the data
            pass
    except SafetensorError as error:
        raise _incomplete(path, error) from error
    with path.open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
        header: dict[str, Any] = parse_json(file.read(size))
    return header, 8 + size


def _view(data: NDArray[np.uint8], dtype: str) -> NDArray[Any]:
    """The bytes as numbers; a file of another writer may not be aligned and is then copied."""
    view = data.view(np.ndarray)
    if view.ctypes.data % np.dtype(dtype).itemsize:
        view = view.copy()
    return view.view(dtype)
