"""Mechanical Turk: tasks, assignments, bonuses and messages through boto3, in Amazon's sandbox or for pay."""
