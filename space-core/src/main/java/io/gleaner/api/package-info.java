/**
 * What an application and a task program against: {@link io.gleaner.api.Gleaner} with its bags, its
 * executor and its spaces, and {@link io.gleaner.api.Task} with its parameters and its context.
 */
package io.gleaner.api;
