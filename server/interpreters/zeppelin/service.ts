/**
 * The Thrift services of Zeppelin 0.9 to 0.12: `RemoteInterpreterService`, which an interpreter
 * process offers, and `RemoteInterpreterEventService`, which it calls. Methods and fields that are
 * not used here are left out.
 */
import type { ThriftService, ThriftType } from './thrift/types.ts';

/** Where and for whom code runs. */
export const interpreterContext = {
  struct: {
    noteId: [1, 'string'],
    noteName: [2, 'string'],
    paragraphId: [3, 'string'],
    replName: [4, 'string'],
    paragraphTitle: [5, 'string'],
    paragraphText: [6, 'string'],
    /** JSON. */
    authenticationInfo: [7, 'string'],
    /** JSON. */
    config: [8, 'string'],
    /** JSON: forms and their values. */
    gui: [9, 'string'],
    /** JSON: forms of the whole note and their values. */
    noteGui: [10, 'string'],
    localProperties: [11, { map: 'string' }],
  },
} as const satisfies ThriftType;

const resultMessage = {
  struct: { type: [1, 'string'], data: [2, 'string'] },
} as const satisfies ThriftType;

const place = { sessionId: [1, 'string'], className: [2, 'string'] } as const;
const run = { ...place, interpreterContext: [3, interpreterContext] } as const;

/** What an interpreter process can be asked. */
export const interpreterService = {
  createInterpreter: {
    args: {
      intpGroupId: [1, 'string'],
      sessionId: [2, 'string'],
      className: [3, 'string'],
      properties: [4, { map: 'string' }],
      userName: [5, 'string'],
    },
  },
  init: { args: { properties: [1, { map: 'string' }] } },
  close: { args: place },
  interpret: {
    args: { ...place, st: [3, 'string'], interpreterContext: [4, interpreterContext] },
    result: {
      struct: {
        code: [1, 'string'],
        msg: [2, { list: resultMessage }],
        config: [3, 'string'],
        gui: [4, 'string'],
        noteGui: [5, 'string'],
      },
    },
  },
  cancel: { args: run },
  getProgress: { args: run, result: 'i32' },
  completion: {
    args: {
      ...place,
      buf: [3, 'string'],
      cursor: [4, 'i32'],
      interpreterContext: [5, interpreterContext],
    },
    result: {
      list: { struct: { name: [1, 'string'], value: [2, 'string'], meta: [3, 'string'] } },
    },
  },
  shutdown: { args: {}, throws: false },
  angularObjectUpdate: {
    args: {
      name: [1, 'string'],
      sessionId: [2, 'string'],
      paragraphId: [3, 'string'],
      object: [4, 'string'],
    },
  },
} as const satisfies ThriftService;

const ofParagraph = { noteId: [1, 'string'], paragraphId: [2, 'string'] } as const;
const event = <F extends Record<string, unknown>>(struct: F) =>
  ({ args: { event: [1, { struct }] } }) as const;
const json = { args: { intpGroupId: [1, 'string'], json: [2, 'string'] } } as const;

/** What an interpreter process tells and asks its server. */
export const eventService = {
  registerInterpreterProcess: {
    args: {
      registerInfo: [
        1,
        {
          struct: { host: [1, 'string'], port: [2, 'i32'], interpreterGroupId: [3, 'string'] },
        },
      ],
    },
  },
  unRegisterInterpreterProcess: { args: { intpGroupId: [1, 'string'] } },
  appendOutput: event({
    ...ofParagraph,
    index: [3, 'i32'],
    data: [4, 'string'],
    appId: [5, 'string'],
  } as const),
  updateOutput: event({
    ...ofParagraph,
    index: [3, 'i32'],
    type: [4, 'string'],
    data: [5, 'string'],
    appId: [6, 'string'],
  } as const),
  updateAllOutput: event({ ...ofParagraph, msg: [3, { list: resultMessage }] } as const),
  appendAppOutput: event({} as const),
  updateAppOutput: event({} as const),
  updateAppStatus: event({} as const),
  checkpointOutput: { args: ofParagraph },
  runParagraphs: event({
    noteId: [1, 'string'],
    paragraphIds: [2, { list: 'string' }],
    paragraphIndices: [3, { list: 'i32' }],
    curParagraphId: [4, 'string'],
  } as const),
  addAngularObject: json,
  updateAngularObject: json,
  removeAngularObject: {
    args: {
      intpGroupId: [1, 'string'],
      noteId: [2, 'string'],
      paragraphId: [3, 'string'],
      name: [4, 'string'],
    },
  },
  sendWebUrl: { args: {} },
  sendParagraphInfo: json,
  updateParagraphConfig: { args: {} },
  getAllResources: { args: {}, result: { list: 'string' } },
  getResource: { args: {}, result: 'binary' },
  getParagraphList: { args: {}, result: { list: { struct: {} } } },
  getAllLibraryMetadatas: { args: {}, result: { list: { struct: {} } }, throws: false },
} as const satisfies ThriftService;
