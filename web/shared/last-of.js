/**
 * What was computed last, as long as it is asked for again: some results cost more than a slider may take, and most
 * sliders leave them as they are.
 * @template {unknown[]} Inputs, Value
 * @param {(module: object, ...inputs: Inputs) => Value} compute of numbers and texts alone
 */
export function lastOf(compute) {
  let last = {};
  return (module, ...inputs) => {
    const key = inputs.join();
    if (last.module !== module || last.key !== key)
      last = { module, key, value: compute(module, ...inputs) };
    return last.value;
  };
}
