"""The local service of ``manage.py up``: PostgreSQL, Valkey, worker, beat and web under one roof.

``files`` and ``keys`` lay out ``DATA_DIR``; ``postgres`` and ``valkey`` know one server each;
``process`` runs one child, ``supervisor`` keeps several alive; ``service`` puts them in order.
"""
