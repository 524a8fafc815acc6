"""The bases of every request's and answer's data."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class BodyModel(BaseModel):
    """What a request brings."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class QueryModel(BaseModel):
    """What a request asks for in its address."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class AnswerModel(BaseModel):
    """What is answered."""

    model_config = ConfigDict(extra="allow", frozen=True)
