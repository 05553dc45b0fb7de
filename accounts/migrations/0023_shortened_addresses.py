"""Of a sign-in's address only the network is kept, like everywhere else: /24, or /48.

The table is allauth's, which writes it in places of its own; so the database cuts the address, whoever
writes it. What counts tries by address still sees the whole one.
"""

from django.db import migrations

CREATE = """
CREATE FUNCTION keepsake_shorten_address() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.ip := host(network(set_masklen(NEW.ip, CASE family(NEW.ip) WHEN 4 THEN 24 ELSE 48 END)))::inet;
  RETURN NEW;
END $$;
CREATE TRIGGER usersession_shortened BEFORE INSERT OR UPDATE ON usersessions_usersession
  FOR EACH ROW EXECUTE FUNCTION keepsake_shorten_address();
UPDATE usersessions_usersession SET ip = ip;
"""
DROP = """
DROP TRIGGER usersession_shortened ON usersessions_usersession;
DROP FUNCTION keepsake_shorten_address();
"""


class Migration(migrations.Migration):
    dependencies = [("accounts", "0022_holds"), ("usersessions", "0001_initial")]
    operations = [migrations.RunSQL(CREATE, DROP)]
