-- Which members a space has. Only they may claim cells; who claims those of a member that is lost
-- strikes it off first, so of two sides that cannot see each other one goes on.

CREATE TABLE space_member (
  member VARCHAR(100) PRIMARY KEY
);
