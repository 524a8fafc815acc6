"""Send a table's messages where the settings name an address for them."""

from __future__ import annotations

from referee.addons.messages.sending import Messenger, Recipient, ntfy, webhook
from referee.addons.messages.settings import MessageSettings
from referee.daemon.addontable import AddOnTable
from referee.match.live import Notice
from referee.report.sharing import newest_picture


def join(table: AddOnTable) -> None:
    """Begin once the page is served; without an address, and at a virtual table, nothing is sent."""
    chosen = table.settings.of(MessageSettings)
    recipients: list[Recipient] = []
    name = "" if table.table is None else table.table.name
    if chosen.webhook:
        recipients.append(Recipient(chosen.webhook, webhook(chosen.webhook, name, table.url)))
    if chosen.ntfy:
        recipients.append(Recipient(chosen.ntfy, ntfy(chosen.ntfy, name, table.url)))
    if not recipients or table.offered.virtual is not None:
        return
    about, kept = frozenset(chosen.about.split()), table.offered.pictures

    def picture() -> bytes:
        return newest_picture(table.state().history, kept.picture) if chosen.pictures and kept is not None else b""

    messenger = Messenger(table.publisher, table.settings.language, about, recipients, picture)
    table.once_served.append(messenger.start)
    table.parts.callback(messenger.close)
    table.notices.append(
        lambda: tuple(
            Notice("messages", "warning", why) for recipient in recipients if (why := recipient.trouble) is not None
        )
    )
