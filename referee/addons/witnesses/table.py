"""Have the devices of a table witness its journal, and an authority stamp its turns where the settings name one."""

from __future__ import annotations

from referee.addons.witnesses.settings import TimestampSettings
from referee.addons.witnesses.timestamping import Timestamping
from referee.addons.witnesses.witnessing import JournalWitnesses
from referee.archive.measures import timestamps_file, witnesses_file
from referee.daemon.addontable import AddOnTable
from referee.storage.checkpoint import Signer


def join(table: AddOnTable) -> None:
    """Offer heads to co-sign; have each turn stamped from now on, but at no virtual table. Raises CheckpointError."""
    signer = Signer.open(table.folder / "checkpoint.key")
    table.offer(JournalWitnesses(signer, table.journal, witnesses_file))
    authority = table.settings.of(TimestampSettings).authority
    if authority and table.offered.virtual is None:
        stamps = Timestamping(
            authority,
            table.journal,
            lambda: table.state().rulings,
            lambda journal: signer.checkpoint(journal).text,
            timestamps_file,
        )
        stamps.start()
        table.parts.callback(stamps.close)
        table.offer(stamps)
