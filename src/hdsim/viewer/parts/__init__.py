"""The parts of a window. See `hdsim.viewer.stage.part`."""
