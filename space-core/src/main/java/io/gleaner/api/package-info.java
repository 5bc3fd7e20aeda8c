/** What an application and a task program against: tasks, their parameters and their context. */
package io.gleaner.api;
