"""The REST API: parse, call one function below, render."""
