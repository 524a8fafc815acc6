from referee.ruling import Violation
from referee.words import verbatim
def violations(case, verdict):
    if verdict.legal is not False: return ()
    return tuple(Violation(r,(),verbatim(r)) for r in (sorted(verdict.sets[0]) if verdict.sets else ()))
