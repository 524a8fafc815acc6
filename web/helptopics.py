"""Help topics: what to do about each notice, ruling and state that may hold a table up."""

from __future__ import annotations

from dataclasses import dataclass

from referee.values.words import Words, say


@dataclass(frozen=True, slots=True)
class Topic:
    """One thing that may be amiss. id: stands in addresses; steps: what to do, in the order to try it."""

    id: str
    title: Words
    meaning: Words
    steps: tuple[Words, ...]


TOPICS = (
    Topic(
        "hand",
        say("“Something is in the way”"),
        say("The referee reads the board only when nothing reaches over its rim: under a hand anything may stand."),
        (
            say("Take hands, cups and sleeves away from above the board; a shadow does no harm."),
            say("What lies there for good, a ruler or a bag, is best taken off the table."),
            say("If nothing is there, a camera was pushed: set up and check the table again."),
        ),
    ),
    Topic(
        "still",
        say("“Waiting until nothing moves”"),
        say("A picture of a moving hand or of a shaking table tells nothing. A fifth of a second of rest is enough."),
        (
            say("Let go of the table for a moment."),
            say("If it never ends: a fan, a curtain or a flickering lamp in the camera’s view moves for it, too."),
        ),
    ),
    Topic(
        "view",
        say("“Getting used to another light or view”"),
        say("A lamp was switched, the sun came out, or a camera was pushed: the referee learns the picture anew."),
        (
            say("Wait a few seconds with your hands away from the board."),
            say("If it comes again and again: draw the curtain, or switch a lamp on that outshines the window."),
            say("If a camera was pushed, open Table and see that the drawn lines lie between the fields."),
        ),
    ),
    Topic(
        "showing",
        say("“Show the board with the phone”"),
        say("A phone in the hand is the camera: pictures from several sides show what towers hide."),
        (
            say("Open the camera’s page on the phone, and photograph the whole board and its frame, if it has one."),
            say("Go around the board; the ring says which sides are done and which one is wanted."),
            say("If pictures are blurred or too dark, hold the phone still, or switch a lamp on."),
        ),
    ),
    Topic(
        "setup",
        say("“Please set the board up”, “Please check the set-up”"),
        say("Before the first turn the board must stand as the rules begin it; fields that differ are marked."),
        (
            say("Put the marked fields right; each mark goes by itself, and the game begins when none is left."),
            say("If the board is right and the mark stays, straighten the pieces there and take your hands away."),
            say("If you begin otherwise on purpose, say on the page that you begin from the board as it stands."),
        ),
    ),
    Topic(
        "frame",
        say("“The frame can’t be seen”"),
        say("The printed markers around the board tell each camera where the board is. Four of them must be seen."),
        (
            say("Take away what lies on the markers, and wipe off glare by turning the lamp."),
            say("If the board or a camera was moved, set up and check the table again; it takes a minute."),
            say("A marker that is torn or bent is printed anew: referee calibrate sheets."),
        ),
    ),
    Topic(
        "camera",
        say("“A camera sends no pictures”"),
        say("Play goes on with the others; what only this camera saw is not known."),
        (
            say(
                "Look at its cable, its power and the network. The referee tries again by itself every five seconds."
            ),
            say("The same old picture again and again means that the camera hangs: unplug it and plug it in."),
            say("A phone must stay unlocked, with its page /camera in view, on its charger."),
            say("Pictures of another size than its lens was measured at: set the camera back to that size."),
        ),
    ),
    Topic(
        "lens",
        say("“A camera has no lens yet”"),
        say("Without its lens a camera’s pictures tell no distances, so it takes no part."),
        (
            say("A phone finds its lens by itself: open /camera on it and do what stands below its picture."),
            say("For another camera print the target: referee calibrate sheets."),
            say(
                "Photograph the printed target some fifteen times, tilted and turned, then: referee calibrate lenses."
            ),
            say("It takes part as soon as its lens is written, in a game that goes on, too."),
        ),
    ),
    Topic(
        "changed",
        say("“Something on the table changed”"),
        say("The board stands otherwise than before, and no camera saw a hand. It counts only once a turn is ended."),
        (
            say("Look at the board: did a stone fall, or did somebody reach in?"),
            say("If it was no turn, put it back as it stood. If it was one, end the turn as always."),
            say("If hands are never seen, a camera looks from too low or sends too few pictures: set it up again."),
        ),
    ),
    Topic(
        "table",
        say("“The table’s set-up was changed”"),
        say("The table’s file measures board, fields and stones. Who changes it in a game changes what is read."),
        (
            say("Ask who changed it. Both files are kept, the first one as table-before.json beside the game."),
            say("If it was a mistake, put the file back as it was and start the referee again."),
            say("If it was meant, end this game and begin a new one, so that all of it is read alike."),
        ),
    ),
    Topic(
        "disk",
        say("“The disk is full”, “can’t be written”"),
        say(
            "Play goes on as long as the journal can be written: eight megabytes are kept back for it. "
            "Pictures go first."
        ),
        (
            say("Delete old games on the shelf, or run: referee journal prune."),
            say("When nothing can be written, nothing new counts; make room, and the game goes on where it was."),
            say("If there is room enough, the card or disk may be worn or locked: “referee doctor” tells."),
        ),
    ),
    Topic(
        "buttons",
        say("“The button box is not connected”"),
        say("Turns can be ended on every paired device as well."),
        (say("Plug it in again; it is found by itself. Else try: referee buttons."),),
    ),
    Topic(
        "messages",
        say("“Messages don’t reach ...”"),
        say(
            "What the table tells elsewhere does not arrive. The game goes on; each message is tried for two minutes."
        ),
        (
            say("Look at the address under [messages] in referee.toml, and whether the computer has a network."),
            say("The referee’s log says what was answered."),
        ),
    ),
    Topic(
        "unsure",
        say("“Can’t tell”"),
        say("What the cameras saw fits a legal turn and a breach. The referee accuses nobody on a doubt."),
        (
            say("Answer its question, if it asks one: what you say is noted as your word."),
            say("Or move the tower in the way aside, and let it look again."),
            say("Or put the board right on the page, field by field, and let it rule on that."),
            say("If it happens at every turn, one more camera from another side settles most of it."),
            say("“Nothing has changed on the board”: say that the turn is over, or play on and press again."),
            say("“More of it must be seen”: turn the board, or take away what hides the place that is named."),
            say("“What was declared can’t be”: correct on the page what was declared."),
        ),
    ),
    Topic(
        "breach",
        say("“Not legal”"),
        say("The page names the rule and the field. Nobody has to give in to a machine."),
        (
            say("Put the board back as shown; what is right again is ticked off while you do it."),
            say("Or agree to let the turn stand; it is noted that you did."),
            say("Or dispute it: the pictures are kept, and the report shows both sides on one page."),
            say("If the referee saw wrong, put the board right on the page: it rules again."),
        ),
    ),
    Topic(
        "restoring",
        say("“Please put the board back”"),
        say("Turns were undone, or a ruling withdrawn: the board must stand again as the page draws it."),
        (
            say("Change only the marked fields; what is right again is ticked off while you do it."),
            say("When all is right, the game goes on by itself; a button says the same where no camera sees it."),
            say("If nobody can build it up again, put the board right on the page, field by field."),
        ),
    ),
    Topic(
        "swept",
        say("“The board looks very different”"),
        say("A board knocked over is no turn, and nobody is accused of one."),
        (
            say("Build it up from the list and the picture from before; each field is ticked off."),
            say("Or go on from how it stands now, if all agree."),
        ),
    ),
    Topic(
        "blind",
        say("“Can’t see the board”, “Something is in the way”"),
        say("No camera gave a picture from which the board can be read when the turn ended. Nobody did wrong."),
        (
            say("Take away what covers the board or the printed frame around it."),
            say("A line below the board says how each camera is doing: mend what it says."),
            say("As soon as the board can be read, the referee goes on by itself."),
            say("Or tell it on the page how the board stands: it rules on that."),
        ),
    ),
    Topic(
        "rehearsal",
        say("The rehearsal of this table no longer holds"),
        say("How well this table is read was tried as it was then: other light, cameras or pieces may change it."),
        (
            say("Play on: the referee rules as before, and asks where it can’t tell."),
            say("Between games, renew it at “Set up and check the table”: a check of half a minute is often enough."),
            say("If only the light changed, put it back as it was: the sentence goes by itself."),
        ),
    ),
    Topic(
        "clock",
        say("“Time is up”"),
        say("The clock says how much time each player has. What follows when it has run out no rule sheet says."),
        (
            say("Give time, if all agree: the clock goes on with it."),
            say("Lay the clock aside: play goes on without it, and the record says so."),
            say("Or end the game by agreement, with the winners you agree on."),
            say("The clock stands while the referee looks and rules, a dispute is open or a camera is gone."),
        ),
    ),
    Topic(
        "game",
        say("“The game … failed”"),
        say("The rules of a game are a program of their own, and this one has a fault. Nobody is accused by it."),
        (
            say("Tell the board by hand where the referee can’t: the game goes on, and the journal keeps all of it."),
            say("Send the sentence to whoever made the game: it names the place of the fault."),
            say("Save the game before you end it: a mended version of the game opens it again."),
        ),
    ),
    Topic(
        "pairing",
        say("A device may only watch"),
        say("Whoever is to end turns and decide is paired once, so that no stranger on the network can."),
        (
            say("Scan the code that a paired device shows under “Devices”, or that “referee pair” prints."),
            say("A code lets one device in, for a quarter of an hour."),
            say("Paired over HTTP and now on HTTPS, or the other way round: pair once more."),
        ),
    ),
    Topic(
        "words",
        say("Words"),
        say(
            "Certificate: how well this table can be seen. Frame: the printed markers around the board. "
            "Journal: all that happened, chained so that nothing can be changed unseen. Pairing: letting a "
            "device act. Unsure: no ruling, because the pictures allow two. Witness’s word: what a player "
            "answered to a question."
        ),
        (),
    ),
)
"""In the order in which people meet them."""
