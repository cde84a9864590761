/**
 * The bytes of an ONNX model, for graphs of a few nodes: as much of its protocol buffers as they need
 * (onnx.proto3: ModelProto, GraphProto, NodeProto, AttributeProto, ValueInfoProto).
 */

const FLOAT = 1;

const text = new TextEncoder();

const varint = (value) => {
  const bytes = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    const low = Number(rest & 127n);
    rest >>= 7n;
    bytes.push(rest > 0n ? low | 128 : low);
  } while (rest > 0n);
  return bytes;
};
const integer = (field, value) => [...varint(field << 3), ...varint(value)];
const float = (field, value) => [
  ...varint((field << 3) | 5),
  ...new Uint8Array(Float32Array.of(value).buffer),
];
const block = (field, bytes) => [...varint((field << 3) | 2), ...varint(bytes.length), ...bytes];
const string = (field, value) => block(field, text.encode(value));

const TYPES = { float: 1, whole: 2, wholes: 7 };

/** An attribute is a whole number, a list of them, or `{ float }`. */
function attribute([name, content]) {
  if (Array.isArray(content)) {
    const list = content.flatMap((each) => integer(8, each));
    return [...string(1, name), ...list, ...integer(20, TYPES.wholes)];
  }
  if (typeof content === 'object') {
    return [...string(1, name), ...float(2, content.float), ...integer(20, TYPES.float)];
  }
  return [...string(1, name), ...integer(3, content), ...integer(20, TYPES.whole)];
}

const node = ({ type, domain = '', inputs, outputs, attributes = {} }) => [
  ...inputs.flatMap((name) => string(1, name)),
  ...outputs.flatMap((name) => string(2, name)),
  ...string(4, type),
  ...Object.entries(attributes).flatMap((entry) => block(5, attribute(entry))),
  ...string(7, domain),
];

const value = ([name, { dimensions }]) => {
  const shape = dimensions.flatMap((size) => block(1, integer(1, size)));
  const tensor = [...integer(1, FLOAT), ...block(2, shape)];
  return [...string(1, name), ...block(2, block(1, tensor))];
};

/**
 * @param {{ nodes: object[], inputs: Record<string, { dimensions: number[] }>,
 *   outputs: Record<string, { dimensions: number[] }>, opset: number }} graph
 */
export function onnxModel({ nodes, inputs, outputs, opset }) {
  const graph = [
    ...nodes.flatMap((each) => block(1, node(each))),
    ...string(2, 'attention'),
    ...Object.entries(inputs).flatMap((entry) => block(11, value(entry))),
    ...Object.entries(outputs).flatMap((entry) => block(12, value(entry))),
  ];
  const operators = (domain, version) => block(8, [...string(1, domain), ...integer(2, version)]);
  return Uint8Array.from([
    ...integer(1, 10),
    ...block(7, graph),
    ...operators('', opset),
    ...operators('com.microsoft', 1),
  ]);
}
