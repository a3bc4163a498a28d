export { TablewrightError, type ErrorCode } from '@tablewright/runtime/model';
