// Loaded first into every Node process that the launcher starts (`--import`). The two hold a channel
// which the kernel closes when the launcher is gone, however it went: then this process ends too.
// Without it a launcher that is killed hard would leave a server, or an `npm ci`, running alone.

// For this process alone: those it forks live by channels of their own, which must hold them open.
const inherited = process.execArgv.indexOf('--import')
if (inherited >= 0) process.execArgv.splice(inherited, 2)

if (process.channel) {
  process.once('disconnect', () => {
    try {
      // With what it started: the launcher gave it a group of its own.
      process.kill(-process.pid, 'SIGTERM')
    } catch {
      // No groups on Windows.
      process.kill(process.pid, 'SIGTERM')
    }
  })
  process.channel.unref()
}
