import { parseMachineStat, parseProcessStat } from '../../../bench/harness/processes.js';

describe('/proc/PID/stat', () => {
  const after = 'S 41 42 42 0 -1 4194560 1500 20 0 0 310 45 600 70 20 0 11 0 9000 1 2 3';

  it('has the parent, the own time and that of ended children in fields 4 and 14 to 17', () => {
    expect(parseProcessStat(`42 (node) ${after}\n`)).toEqual({ parent: 41, own: 355, ended: 670 });
  });

  it.each(['(a b)', '(a) b)', '(postgres: bench) S 1 2)', '(()'])('may have any command, such as %s', (command) => {
    expect(parseProcessStat(`42 ${command} ${after}\n`)).toEqual({ parent: 41, own: 355, ended: 670 });
  });
});

describe('/proc/stat', () => {
  it('counts what processors worked for anybody: neither idle nor waiting, nor guests twice', () => {
    const text = 'cpu  100 20 30 4000 500 6 7 8 90 0\ncpu0 50 10 15 2000 250 3 3 4 45 0\nintr 1\n';
    expect(parseMachineStat(text)).toBe(100 + 20 + 30 + 6 + 7 + 8);
  });

  it('may lack the later columns, as old kernels do', () => {
    expect(parseMachineStat('cpu  100 20 30 4000\n')).toBe(150);
  });
});
