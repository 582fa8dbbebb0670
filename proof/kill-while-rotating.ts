import { killWhileRotating } from '../apps/server/test/processes/kill-while-rotating.ts'

// The long form of the test of the same name: after 50 SIGKILLs no refresh token is lost without a word.
const report = await killWhileRotating(50)
console.log(report)
if (report.silent.length > 0) process.exitCode = 1
