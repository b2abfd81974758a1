export const DefaultDisplayType = {
  ELEMENT: 'ELEMENT',
  TABLE: 'TABLE',
  HTML: 'HTML',
  ANGULAR: 'ANGULAR',
  TEXT: 'TEXT',
  NETWORK: 'NETWORK',
};
export const DefaultDisplayMagic = Object.fromEntries(
  Object.values(DefaultDisplayType).map((type) => ['%' + type.toLowerCase(), type]),
);
export class DataWithType {
  constructor(data, type, magic, text) {
    this.data = data;
    this.type = type;
    this.magic = magic;
    this.text = text;
  }
  static handleDefaultMagic(type) {
    return DefaultDisplayMagic[type] || type;
  }
  /** A known magic at the start of a line starts a part. Text before the first one is TEXT. */
  static parseStringData(data, known = DefaultDisplayMagic) {
    const parts = [];
    for (const line of String(data).split('\n')) {
      const magic = (/^%\S+/.exec(line) || [])[0];
      const isKnown = magic !== undefined && Object.prototype.hasOwnProperty.call(known, magic);
      if (isKnown) parts.push(new DataWithType(line.slice(magic.length) + '\n', known[magic]));
      else if (parts.length === 0)
        parts.push(new DataWithType(line + '\n', DefaultDisplayType.TEXT));
      else parts[parts.length - 1].data += line + '\n';
    }
    return parts;
  }
  getData() {
    return this.data;
  }
  getType() {
    return this.type;
  }
}
export class SpellResult {
  constructor(resultData, resultType) {
    this.dataWithTypes = [];
    this.add(resultData, resultType);
  }
  static isFunction(data) {
    return typeof data === 'function';
  }
  static isObject(data) {
    return typeof data === 'object' && data !== null;
  }
  static isPromise(data) {
    return !!data && typeof data.then === 'function';
  }
  add(resultData, resultType) {
    if (resultData !== undefined) this.dataWithTypes.push(new DataWithType(resultData, resultType));
    return this;
  }
  /** Returns parts with their types. Text is split at known magics, including those of `spells`. */
  async getAllParsedDataWithTypes(spells, magic, text) {
    const known = {
      ...DefaultDisplayMagic,
      ...Object.fromEntries(Object.keys(spells || {}).map((each) => [each, each])),
    };
    const parts = await Promise.all(
      this.dataWithTypes.map(async ({ data, type }) => {
        const value = await data;
        if (type) return [new DataWithType(value, type)];
        if (SpellResult.isFunction(value))
          return [new DataWithType(value, DefaultDisplayType.ELEMENT, magic, text)];
        return DataWithType.parseStringData(value, known);
      }),
    );
    return parts.flat();
  }
}
export class SpellBase {
  constructor(magic) {
    this.magic = magic;
  }
  interpret(paragraphText) {
    throw new Error('SpellBase.interpret() should be overrided');
  }
  getMagic() {
    return this.magic;
  }
}
