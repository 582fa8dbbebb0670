import { setMachineAhead } from './set-machine-ahead.ts'

// Loaded before the product, into each of its processes (`NODE_OPTIONS`): a machine whose time of day is wrong.
setMachineAhead(Number(new URL(import.meta.url).searchParams.get('ms')))
