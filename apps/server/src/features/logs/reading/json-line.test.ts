import { describe, expect, it } from 'vitest'
import { isJsonLogLine, jsonLevel, readField } from './json-line.ts'
import { levelNames } from './levels.ts'

const level = (line: string) => {
  const bytes = Buffer.from(line)
  return levelNames[jsonLevel(bytes, 0, bytes.length)]
}

describe('the level of a JSON line', () => {
  it.each([
    ['{"level":"info"}', 'info'],
    [' { "level" : "WARN" }', 'warning'],
    ['{"level":"fatal"}', 'critical'],
    ['{"level":"trace"}', 'debug'],
    ['{"level":10}', 'debug'],
    ['{"level":30,"x":1}', 'info'],
    ['{"level":35}', 'info'],
    ['{"level":50}', 'error'],
    ['{"level":60}', 'critical'],
    ['{"level":99999999999999999999}', 'critical'],
    ['{"time":1,"nested":{"level":"error"},"level":"debug"}', 'debug'],
    ['{"msg":"\\"level\\":\\"error\\"","level":"debug"}', 'debug'],
    ['{"msg":"\\\\","level":"alert"}', 'alert'],
    ['{"msg":"\\"","level":"info"}', 'info'],
    ['{"msg":"level","level":"notice"}', 'notice'],
    ['{"list":["level","x",{"level":"error"}],"level":"notice"}', 'notice'],
    ['{"level":"debug","level":"error"}', 'debug'],
    ['{"level":"info","msg":"cut off in the mid', 'info'],
    ['{"level":"loud"}', ''],
    ['{"level":-1}', ''],
    ['{"level":null}', ''],
    ['{"level":{"level":"error"}}', ''],
    ['{"level":"inf', ''],
    ['{"level":', ''],
    ['{"leve', ''],
    ['{"msg":"x"}{"level":"error"}', ''],
    ['["level","error"]', ''],
    ['level":"error"', ''],
    ['x{"level":"error"}', ''],
    ['', ''],
  ])('%s', (line, expected) => {
    expect(level(line)).toBe(expected)
  })
})

it('a line needs a time or a message beside its level to make a log', () => {
  const isLog = (line: string) => isJsonLogLine(Buffer.from(line), 0, line.length)
  expect(isLog('{"level":"info","time":1}')).toBe(true)
  expect(isLog('{"message":"x","level":30}')).toBe(true)
  expect(isLog('{"level":"info"}')).toBe(false)
  expect(isLog('{"time":1,"msg":"x"}')).toBe(false)
})

it('reads single fields of a line that is cut off', () => {
  const line = Buffer.from(
    '{"level":"info","time":1745532517537,"a":{},"request_id":"r-\\u00e4","msg":"cut',
  )
  const field = (key: string) => readField(line, 0, line.length, key)
  expect(field('time')).toBe('1745532517537')
  expect(field('request_id')).toBe('r-ä')
  expect(field('a')).toBe('')
  expect(field('msg')).toBe('')
  expect(field('none')).toBe('')
})
