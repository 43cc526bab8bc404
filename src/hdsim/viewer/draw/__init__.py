"""What a picture is made of, from the frame to the pen."""
