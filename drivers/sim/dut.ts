import { capabilities, type Dut } from '../contract';

/** What the simulated device says of itself. */
export const simulatedDut: Dut = {
  hcaId: 'sim0',
  transport: 'simulated',
  fwVer: 'none',
  nodeGuid: '0000:0000:0000:0001',
  vendorId: 0,
  vendorPartId: 0,
  hwVer: 0,
  physPortCnt: 1,
  port: {
    portNum: 1,
    state: 'IBV_PORT_ACTIVE',
    linkLayer: 'Ethernet',
    maxMtu: 4096,
    activeMtu: 1024,
    lid: 0,
    gidIndex: 0,
    gid: '0000:0000:0000:0000:0000:0000:0000:0001',
    netdev: '',
  },
  provider: 'sim',
  kernel: 'none',
  rdmaCore: 'none',
  capabilities,
};
