print("alertd")
