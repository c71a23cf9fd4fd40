// The parts of the contract that the client uses: the only place where this package imports it.
// A relative path, so that a build includes the contract and the published files are self-contained.
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
