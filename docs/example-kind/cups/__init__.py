"""A kind of observation: a row of cups, each mouth up or mouth down."""
