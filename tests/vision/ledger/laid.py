"""Lays a drawn die with any picture on its top into a photograph of a mat, as its camera would see it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.view import View

Picture = NDArray[np.uint8]
TOP_PX = 96


def plain(body: tuple[int, int, int]) -> Picture:
    """Return an empty face."""
    return np.full((TOP_PX, TOP_PX, 3), body, np.uint8)


def with_spots(body: tuple[int, int, int], ink: tuple[int, int, int], spots: list[tuple[float, float]]) -> Picture:
    """Return a face with pips at places given in shares of its side."""
    face = plain(body)
    for x, y in spots:
        cv2.circle(face, (round(x * TOP_PX), round(y * TOP_PX)), round(0.1 * TOP_PX), ink, -1, cv2.LINE_AA)
    return face


def with_star(body: tuple[int, int, int], ink: tuple[int, int, int], rays: int) -> Picture:
    """Return a face with a star."""
    face = plain(body)
    turns = np.arange(2 * rays) * np.pi / rays
    wide = np.where(np.arange(2 * rays) % 2 == 0, 0.38, 0.14)
    corners = 0.5 + np.stack([wide * np.cos(turns), wide * np.sin(turns)], axis=1)
    cv2.fillPoly(face, [np.round(corners * TOP_PX).astype(np.int32)], ink, cv2.LINE_AA)
    return face


def with_letter(body: tuple[int, int, int], ink: tuple[int, int, int], letter: str) -> Picture:
    """Return a face with a letter."""
    face = plain(body)
    (wide, high), _ = cv2.getTextSize(letter, cv2.FONT_HERSHEY_DUPLEX, 2.4, 7)
    at = (TOP_PX - wide) // 2, (TOP_PX + high) // 2
    cv2.putText(face, letter, at, cv2.FONT_HERSHEY_DUPLEX, 2.4, ink, 7, cv2.LINE_AA)
    return face


def laid(
    view: View, top: Picture, die_mm: float, at_mm: tuple[float, float], turn: float, light: float = 1.0
) -> Picture:
    """Return the view's picture with a die in it. turn: radians. light: brightness of all that the camera sees."""
    out = view.picture_bgr.astype(np.float32)
    half = die_mm / 2 * np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]])
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    foot = np.column_stack([half @ spin.T + at_mm, np.zeros(4)])
    upper = view.project(foot + np.array([0, 0, die_mm])).astype(np.float32)
    lower = view.project(foot).astype(np.float32)
    body = np.median(top.reshape(-1, 3), axis=0)
    whole = cv2.convexHull(np.concatenate([upper, lower]))
    cv2.fillConvexPoly(out, np.round(whole * 16).astype(np.int32), (0.55 * body).tolist(), cv2.LINE_AA, 4)
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * TOP_PX - 0.5
    onto = cv2.getPerspectiveTransform(corners, upper)
    size = out.shape[1], out.shape[0]
    there = cv2.warpPerspective(np.ones(top.shape[:2], np.float32), onto, size)[..., None]
    seen = cv2.warpPerspective(cv2.GaussianBlur(top.astype(np.float32), (0, 0), 1.2), onto, size)
    out = out * (1 - there) + seen * there
    grain = np.random.default_rng(7).normal(size=out.shape) * 3
    return np.clip(cv2.GaussianBlur(out, (0, 0), 0.6) * light + grain, 0, 255).astype(np.uint8)
