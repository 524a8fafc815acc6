"""Tells how the referee does: ``/health`` for whoever watches over it, ``/metrics`` for Prometheus.

Both only read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import accumulate

from flask import Blueprint, Response, current_app, jsonify
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from werkzeug.exceptions import NotFound

from referee.values.camerahealth import CameraSample
from referee.values.metrics import BUCKETS_S, VitalSigns
from web.contract import Access, endpoint
from web.services import services

blueprint = Blueprint("health", __name__)

_MEASURED: tuple[tuple[str, str, Callable[[CameraSample], float | None]], ...] = (
    ("markers", "Markers of the frame found", lambda sample: sample.markers),
    ("edge_width_pixels", "Width of the markers’ edges: the smaller the sharper", lambda sample: sample.edge_px),
    ("reprojection_error_pixels", "Distance of markers from their places", lambda sample: sample.reprojection_px),
    ("brightness", "Mean brightness of the table, 0 to 255", lambda sample: sample.mean),
    ("burnt_out_ratio", "Share of the table that is burnt out", lambda sample: sample.burnt),
    ("black_ratio", "Share of the table that is black", lambda sample: sample.black),
)


@endpoint(blueprint, "GET", "/health", Access.PUBLIC, "How the referee does")
def health() -> Response:
    """Return status ``ok``, ``degraded`` (it goes on, but not well) or, with 503, ``failed`` or ``stalled``.

    ``failed``: the journal can't be written, so nothing counts.
    """
    signs = _signs()
    amiss = "degraded" if signs.problems else "ok"
    status = "stalled" if signs.stalled else "failed" if signs.failed else amiss
    answer = jsonify(
        status=status,
        problems=signs.problems,
        up_s=round(signs.up_s, 1),
        turn_loop_age_s=_rounded(signs.turn_loop_age_s),
        cameras={name: _rounded(age) for name, age in signs.cameras.items()},
        evidence=signs.evidence,
        disk_free_mb=signs.disk_free_bytes // 1_000_000,
        parts=dict(signs.parts),
    )
    answer.status_code = 503 if signs.stalled or signs.failed else 200
    return answer


@endpoint(blueprint, "GET", "/metrics", Access.PUBLIC, "The same for Prometheus", media="text/plain")
def metrics() -> Response:
    """Return everything in Prometheus' text format."""
    registry = CollectorRegistry()
    registry.register(_Signs(_signs(), current_app.config["MAX_STREAMS"] - services().streams.free))
    return Response(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


def _signs() -> VitalSigns:
    source = services().parts.signs
    if source is None:
        raise NotFound
    return source()


def _rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 1)


class _Signs(Collector):
    """The signs of this moment as metrics, so that nothing is counted twice or kept stale. streams: that are open."""

    def __init__(self, signs: VitalSigns, streams: int) -> None:
        self._signs, self._streams = signs, streams

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics of this moment."""
        signs = self._signs
        yield _gauge("up_seconds", "Seconds since the start", signs.up_s)
        yield _gauge("turn_loop_age_seconds", "Seconds since the turn loop last came round", signs.turn_loop_age_s)
        yield _gauge("disk_free_bytes", "Bytes free where games are kept", signs.disk_free_bytes)
        yield _gauge("evidence_kept", "1 while the pictures behind rulings are kept", signs.evidence == "on")
        yield _gauge("journal_writable", "1 while events can be written", not signs.failed)
        yield _gauge("event_streams", "Pages that listen to the table at this moment", self._streams)
        yield _by(
            GaugeMetricFamily("referee_camera_age_seconds", "Seconds since the newest frame", labels=["camera"]),
            signs.cameras,
        )
        yield _by(
            CounterMetricFamily("referee_camera_frames", "Frames taken in since the start", labels=["camera"]),
            signs.frames,
        )
        yield _by(
            CounterMetricFamily(
                "referee_camera_losses", "Times a camera was lost since the start", labels=["camera"]
            ),
            signs.losses,
        )
        yield from _sampled(signs.samples)
        yield _by(
            GaugeMetricFamily("referee_part_connected", "1 for a part that is there", labels=["part"]), signs.parts
        )
        if current_app.config["OPEN_WATCHING"]:
            yield from self._of_the_game(signs)

    def _of_the_game(self, signs: VitalSigns) -> Iterator[Metric]:
        """Yield what tells of the game itself, for those who may watch it."""
        yield _by(
            CounterMetricFamily("referee_rulings", "Turns ruled on since the start", labels=["verdict"]),
            signs.rulings,
        )
        counts = list(accumulate(signs.reading.counts))
        edges = [*(f"{edge:g}" for edge in BUCKETS_S), "+Inf"]
        yield HistogramMetricFamily(
            "referee_reading_seconds",
            "How long reading the board took",
            buckets=list(zip(edges, map(float, counts), strict=True)),
            sum_value=signs.reading.total_s,
        )


def _sampled(samples: Mapping[str, CameraSample]) -> Iterator[Metric]:
    """Yield what was measured in each camera's picture about a minute ago; nan where it could not be."""
    for name, words, value in _MEASURED:
        family = GaugeMetricFamily(f"referee_camera_{name}", words, labels=["camera"])
        yield _by(family, {camera: value(sample) for camera, sample in samples.items()})


def _gauge(name: str, words: str, value: float | None) -> Metric:
    return GaugeMetricFamily(f"referee_{name}", words, value=float("nan") if value is None else float(value))


def _by(family: GaugeMetricFamily | CounterMetricFamily, values: Mapping[str, float | None]) -> Metric:
    for label, value in values.items():
        family.add_metric([label], float("nan") if value is None else float(value))
    return family
