import { finish, guardExitCode } from './common/ending';
import { runCommand } from './run-command';

guardExitCode();
void runCommand(process.argv.slice(2)).then(finish);
