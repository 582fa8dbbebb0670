/** The `./spans` entry: W3C trace context, and spans as a collector takes them (OTLP), without pino. */
export * from './spans/otlp-sender.ts'
export * from './spans/otlp-span.ts'
export * from './spans/random-hex.ts'
export * from './spans/trace-context.ts'
