"""What both languages say about texts: forms, numbers, times, sameness. Pure, without tables or clock."""
