{
  'targets': [
    {
      'target_name': 'verbs',
      'sources': [
        'src/addon.cc',
        'src/async_event.cc',
        'src/comp_channel.cc',
        'src/cq.cc',
        'src/descriptor.cc',
        'src/device.cc',
        'src/enums.cc',
        'src/handles.cc',
        'src/mr.cc',
        'src/params.cc',
        'src/pd.cc',
        'src/process.cc',
        'src/qp.cc',
        'src/result.cc',
        'src/work_request.cc',
      ],
      'include_dirs': ["<!(node -p \"require('node-addon-api').include_dir\")"],
      'libraries': ['-libverbs'],
      'defines': [
        'NAPI_VERSION=8',
        # ibv_query_gid_ex is younger than the other verbs: does the header that the compiler finds have it?
        "HAS_QUERY_GID_EX=<!(echo '#include <infiniband/verbs.h>' | ${CC:-cc} -E -x c - 2>/dev/null"
        " | grep -qw _ibv_query_gid_ex && echo 1 || echo 0)",
      ],
      'cflags': ['-Wall', '-Wextra', '-Werror'],
      'cflags!': ['-Wno-unused-parameter'],
      'cflags_cc': ['-std=c++17', '-fexceptions'],
      'cflags_cc!': ['-fno-exceptions', '-fno-rtti', '-std=gnu++17', '-std=gnu++20'],
    },
  ],
}
