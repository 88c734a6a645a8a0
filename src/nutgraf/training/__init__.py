"""A network learns: the loop, its schedules, its objectives. It knows numbers, and no words."""
