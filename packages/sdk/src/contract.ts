// The contract as the client sees it: the one place where this package reaches into that one.
// A relative path, so that a build takes the contract along and the published files stand alone.
export {
  cursorOf,
  operationList,
  operations,
  problemNames,
  problems,
} from '../../contract/src/index.ts';
export type {
  AnswerOf,
  AnyOperation,
  BodyOf,
  EventPayloads,
  EventType,
  OperationName,
  Operations,
  ParamsOf,
  ProblemName,
  QueryOf,
} from '../../contract/src/index.ts';
