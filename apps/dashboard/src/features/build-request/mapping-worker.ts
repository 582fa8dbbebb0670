import { createMappingEngine, answerCall, type EngineCall } from './mapping-engine.ts'

const engine = createMappingEngine()

self.addEventListener('message', ({ data }: MessageEvent<{ id: number; call: EngineCall }>) => {
  self.postMessage({ id: data.id, answer: answerCall(engine, data.call) })
})
