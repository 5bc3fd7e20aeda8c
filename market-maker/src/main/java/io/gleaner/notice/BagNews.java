package io.gleaner.notice;

import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a notice says; its fields are the JSON of a webhook, see docs/bag-format.md.
 *
 * @param event done, failed or budget_80
 */
public record BagNews(
    String event,
    String bag,
    String name,
    String owner,
    String state,
    int tasks,
    int completed,
    int failed,
    long budgetMicros,
    long spentMicros,
    String note) {
  private static final JsonMapper JSON =
      JsonMapper.builder().disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY).build();

  String json() {
    return JSON.writeValueAsString(this);
  }

  static BagNews fromJson(String json) {
    return JSON.readValue(json, BagNews.class);
  }
}
