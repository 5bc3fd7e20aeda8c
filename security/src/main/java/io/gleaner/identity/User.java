package io.gleaner.identity;

import java.util.Set;

/** A person or a program with a name of its own, and what it may do. */
public record User(String name, Set<Role> roles) {
  public User {
    Names.require("user", name);
    roles = Set.copyOf(roles);
  }

  public User(String name, Role role) {
    this(name, Set.of(role));
  }

  public boolean is(Role role) {
    return roles.contains(role);
  }
}
