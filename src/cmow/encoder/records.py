"""What the file of the tables records of each, so that opening a model need not read them."""

import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from cmow.encoder.part import LARGEST_MAGNITUDE, Magnitudes, Part
from cmow.errors import FormatError
from cmow.parsing import parse_json

KEY = "tables"  # one, since safetensors writes several in a random order


class Record(NamedTuple):
    """What was known of a part's table when it was saved."""

    magnitudes: Magnitudes
    checksum: int

    @classmethod
    def of(cls, part: Part) -> "Record":
        """Read the whole table, and refuse one with NaN or infinity."""
        return cls(part.scan(), _checksum(part))

    def verify(self, part: Part) -> None:
        """Read the whole table, and refuse one that is not what was saved."""
        part.verify()
        if _checksum(part) != self.checksum:
            raise FormatError(f"part {part.name!r}: the table is not the one that was saved")


def write_records(parts: Sequence[Part]) -> dict[str, str]:
    """The metadata of a file with the tables of these parts."""
    records = {part.name: Record.of(part) for part in parts}
    entries = {
        name: {**magnitudes._asdict(), "crc32": checksum}
        for name, (magnitudes, checksum) in records.items()
    }
    return {KEY: json.dumps(entries)}


def read_records(metadata: Mapping[str, str]) -> dict[str, Record]:
    """The records by the parts' names; without those that cannot be, whose tables are then read."""
    try:
        records = {
            name: _record(**entry) for name, entry in parse_json(metadata.get(KEY, "{}")).items()
        }
    except (ValueError, TypeError, AttributeError, OverflowError):
        return {}
    return {name: record for name, record in records.items() if _can_be(record.magnitudes)}


def _record(*, smallest: Any, largest: Any, crc32: Any) -> Record:
    return Record(Magnitudes(float(smallest), float(largest)), int(crc32))


def _can_be(magnitudes: Magnitudes) -> bool:
    return 0 <= magnitudes.smallest <= magnitudes.largest <= LARGEST_MAGNITUDE


def _checksum(part: Part) -> int:
    checksum = zlib.crc32(part.table.data)
    return checksum if part.scales is None else zlib.crc32(part.scales.data, checksum)
