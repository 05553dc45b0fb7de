"""Backups that do not bring the erased back: a main dump without keys, short-lived keys, a restore.

``files`` lays them out, ``dump`` makes them, ``load`` reads them into the database, ``rebuild`` makes
what they leave out, ``restore`` puts it in order.
"""
