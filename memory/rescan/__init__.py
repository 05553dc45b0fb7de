"""What is stored passes the door again, when its patterns have grown."""
