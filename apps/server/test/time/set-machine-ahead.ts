/** Makes this process see the time of day of a machine whose clock is wrong. Its monotonic clock is right. */
export function setMachineAhead(ms: number): void {
  if (ms === 0) return
  const RealDate = Date
  const wallMs = () => RealDate.now() + ms
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given: [], made) =>
      Reflect.construct(target, given.length === 0 ? [wallMs()] : given, made) as Date,
    get: (target, name) => (name === 'now' ? wallMs : (Reflect.get(target, name) as unknown)),
  })
}
